#include "http/url.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { HTTP_PORT = 80, HTTPS_PORT = 443, AUTHORITY_BYTES = NET_HOST_BYTES + 8 };

static bool split_scheme(const char *text, struct http_url *url, const char **rest,
                         struct error *error)
{
    if (strncasecmp(text, "http://", 7) == 0) {
        *url = (struct http_url){.tls = false, .port = HTTP_PORT};
        *rest = text + 7;
        return true;
    }
    if (strncasecmp(text, "https://", 8) == 0) {
        *url = (struct http_url){.tls = true, .port = HTTPS_PORT};
        *rest = text + 8;
        return true;
    }
    return error_set(error, ERROR_USAGE, "\"%s\" is no URL that starts with http:// or https://",
                     text);
}

static bool is_plain(const char *text)
{
    for (const char *next = text; *next != '\0'; next++)
        if (iscntrl((unsigned char)*next) || *next == ' ' || (unsigned char)*next >= 0x80)
            return false;
    return true;
}

bool http_url_parse(const char *text, struct http_url *url, struct error *error)
{
    const char *rest = text;
    char authority[AUTHORITY_BYTES];
    if (!split_scheme(text, url, &rest, error))
        return false;
    if (!is_plain(text))
        return error_set(error, ERROR_USAGE,
                         "a URL has no spaces and no characters outside ASCII; write them as %%XX");
    size_t length = strcspn(rest, "/?#");
    if (length == 0 || length >= sizeof authority)
        return error_set(error, ERROR_USAGE, "\"%s\" names no host", text);
    memcpy(authority, rest, length);
    authority[length] = '\0';
    if (strchr(authority, '@') != NULL)
        return error_set(error, ERROR_USAGE, "names and passwords in a URL are not sent");
    uint16_t own_port = url->port;
    if (!net_split(authority, url->host, &url->port, error))
        return false;
    bool is_ipv6 = strchr(url->host, ':') != NULL;
    int written = snprintf(url->authority, sizeof url->authority, "%s%s%s", is_ipv6 ? "[" : "",
                           url->host, is_ipv6 ? "]" : "");
    if (url->port != own_port)
        (void)snprintf(url->authority + written, sizeof url->authority - (size_t)written, ":%u",
                       url->port);
    const char *path = rest + length;
    size_t path_length = strcspn(path, "#");
    bool needs_slash = path[0] != '/';
    if (path_length + needs_slash >= sizeof url->target)
        return error_set(error, ERROR_USAGE, "the path of the URL is longer than %d bytes",
                         HTTP_TARGET_BYTES - 1);
    (void)snprintf(url->target, sizeof url->target, "%s%.*s", needs_slash ? "/" : "",
                   (int)path_length, path);
    return true;
}
