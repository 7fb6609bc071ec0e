/* Entry of the command line: finds the sub-command, parses its options, runs it. */
#ifndef TLSMETER_CLI_MAIN_H
#define TLSMETER_CLI_MAIN_H

/* Returns an exit code of cli/option.h. */
int cli_main(int argc, const char *const *argv);

#endif
