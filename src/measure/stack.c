#include "measure/stack.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

/* As much as a thread of a small system has, and more than any handshake was seen to take. */
enum { STACK_BYTES = 512 * 1024, PAINT = 0xa5 };

/* makecontext passes ints only, so the call stands here. */
static _Thread_local struct {
    void (*work)(void *context);
    void *context;
} calling;

const char *stack_unavailable(void)
{
    return NULL;
}

bool stack_open(struct stack_meter *meter, struct error *error)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    *meter = (struct stack_meter){.size_bytes = STACK_BYTES};
    unsigned char *memory = mmap(NULL, STACK_BYTES + page, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED)
        return error_set_errno(error, errno, "no memory for a stack to measure");
    if (mprotect(memory, page, PROT_NONE) != 0) {
        int mprotect_errno = errno;
        (void)munmap(memory, STACK_BYTES + page);
        return error_set_errno(error, mprotect_errno, "a stack cannot be guarded");
    }
    meter->memory = memory + page;
    memset(meter->memory, PAINT, STACK_BYTES);
    return true;
}

void stack_close(struct stack_meter *meter)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (meter->memory != NULL)
        (void)munmap(meter->memory - page, meter->size_bytes + page);
    meter->memory = NULL;
}

static void enter(void)
{
    calling.work(calling.context);
}

void stack_call(struct stack_meter *meter, void (*work)(void *context), void *context)
{
    ucontext_t here;
    ucontext_t there;
    if (getcontext(&there) != 0) {
        work(context);
        return;
    }
    there.uc_stack.ss_sp = meter->memory;
    there.uc_stack.ss_size = meter->size_bytes;
    there.uc_link = &here;
    calling.work = work;
    calling.context = context;
    makecontext(&there, enter, 0);
    (void)swapcontext(&here, &there);
}

size_t stack_peak_bytes(const struct stack_meter *meter)
{
    size_t untouched = 0;
    while (untouched < meter->size_bytes && meter->memory[untouched] == PAINT)
        untouched++;
    return meter->size_bytes - untouched;
}
