const failures: readonly [kind: string, codes: RegExp][] = [
  ['denied', /^EgressDenied$/],
  ['name not resolved', /^(ENOTFOUND|EAI_\w+|ENODATA|ESERVFAIL)$/],
  ['connection refused', /^ECONNREFUSED$/],
  ['not reachable', /^(EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL|EACCES|EPERM)$/],
  ['timed out', /^(ETIMEDOUT|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT)$/],
  ['TLS failed', /^(ERR_TLS_\w+|ERR_SSL_\w+|EPROTO|CERT_\w+|CRL_\w+|UNABLE_TO_\w+|\w+_(CERT|CHAIN)\w*)$/],
  [
    'not an HTTP response',
    /^(HPE_\w+|HTTPParserError|EndlessInterim|UND_ERR_(HEADERS_OVERFLOW|RES_\w+|RESPONSE\w*))$/,
  ],
  ['connection lost', /^(ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_ABORTED)$/],
]

const maxLength = 500

/**
 * Describes why a request failed without a complete response. Starts with the kind of failure, such as
 * `connection refused`.
 */
export function whyItFailed(error: unknown): string {
  if (!(error instanceof Error)) return `failed: ${String(error)}`.slice(0, maxLength)
  const { code = '' } = error as NodeJS.ErrnoException
  const found = failures.find(([, codes]) => codes.test(code) || codes.test(error.name))
  const message = error.message || (error instanceof AggregateError ? error.errors.join('; ') : code)
  return `${found?.[0] ?? 'failed'}: ${message}`.slice(0, maxLength)
}
