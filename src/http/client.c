#include "http/client.h"

#include <string.h>

static const struct http_limits limits = {.header_bytes = 65536, .headers = 200};

static uint64_t now_ns(void)
{
    return clock_wall_ns(clock_real());
}

bool http_client_open(struct http_client *client, struct error *error)
{
    memset(client, 0, sizeof *client);
    client->parser = http_parser_new(HTTP_OF_SERVER, &limits, error);
    return client->parser != NULL;
}

void http_client_close(struct http_client *client)
{
    http_client_disconnect(client);
    http_parser_free(client->parser);
    client->parser = NULL;
}

void http_client_disconnect(struct http_client *client)
{
    if (!client->connected)
        return;
    uint64_t start_ns = now_ns();
    attempt_close(&client->attempt);
    client->close_ns = now_ns() - start_ns;
    client->connected = false;
}

bool http_client_connect(struct http_client *client, const struct attempt_setting *setting,
                         struct error *error)
{
    if (!attempt_drive(&client->attempt, setting, NULL, error))
        return false;
    client->connected = true;
    http_exchange_init(&client->exchange, client->parser);
    return true;
}

/* Waits for what the exchange wants. */
static bool wait_for(struct http_client *client, enum tls_progress progress, uint64_t deadline_ns,
                     struct error *error)
{
    const struct http_exchange *exchange = &client->exchange;
    int ready = net_wait(client->attempt.link.fd, progress == TLS_WANT_WRITE, deadline_ns, error);
    if (ready == 0)
        (void)error_set(error, ERROR_TIMEOUT, "%s within %.3g s",
                        exchange->sent_ns == 0         ? "the server did not take the request"
                        : exchange->first_byte_ns == 0 ? "the server did not begin to answer"
                                                       : "the answer did not end",
                        (double)client->attempt.setting->time_out_ns / 1e9);
    return ready > 0;
}

bool http_client_fetch(struct http_client *client, const struct http_request *request,
                       struct error *error)
{
    struct http_exchange *exchange = &client->exchange;
    uint64_t deadline_ns = now_ns() + client->attempt.setting->time_out_ns;
    http_exchange_begin(exchange, request);
    enum tls_progress progress;
    do {
        progress = http_exchange_step(exchange, &client->attempt.channel, error);
        if (progress == TLS_WANT_READ && !link_flush(&client->attempt.link))
            progress = TLS_WANT_WRITE;
    } while ((progress == TLS_WANT_READ || progress == TLS_WANT_WRITE) &&
             wait_for(client, progress, deadline_ns, error));
    if (progress != TLS_DONE || !exchange->keep_alive)
        http_client_disconnect(client);
    return progress == TLS_DONE;
}
