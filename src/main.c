#include "cli/main.h"
#include "cli/commands.h"

/* The table of sub-commands, and nothing else. */
const struct command *const commands[] = {
    &command_run,    &command_crypto, &command_handshake, &command_http,
    &command_serve,  &command_list,   &command_machine,   &command_show,
    &command_import, &command_check,  &command_generate,  NULL,
};

int main(int argc, char **argv)
{
    return cli_main(argc, (const char *const *)argv);
}
