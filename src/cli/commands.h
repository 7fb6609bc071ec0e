/* The sub-commands, one file each. main.c lists them. */
#ifndef TLSMETER_CLI_COMMANDS_H
#define TLSMETER_CLI_COMMANDS_H

#include "cli/option.h"

extern const struct command command_crypto;
extern const struct command command_handshake;
extern const struct command command_http;
extern const struct command command_serve;
extern const struct command command_run;
extern const struct command command_list;
extern const struct command command_machine;
extern const struct command command_show;
extern const struct command command_generate;
extern const struct command command_import;
extern const struct command command_check;

/* The table of main.c, NULL-terminated: help, man page, completion and plans read it. */
extern const struct command *const commands[];

#endif
