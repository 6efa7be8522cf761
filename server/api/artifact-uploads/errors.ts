import type { ErrorKind } from '@/server/kernel/errors'
import type { Answer } from '@/server/kernel/http/call'
import { explainError } from '@/server/kernel/http/explain'
import type { Logger } from '@/server/kernel/log'

/** Failure of the block protocol, with the error code that Azure's clients know. */
export class BlobError extends Error {
  override name = 'BlobError'

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly headers: Record<string, string> = {},
  ) {
    super(message)
  }
}

// Clients retry only after 500 and 503.
const codes: { [Kind in ErrorKind]?: [status: number, code: string] } = {
  invalid: [400, 'InvalidInput'],
  forbidden: [403, 'AuthenticationFailed'],
  notFound: [404, 'BlobNotFound'],
  conflict: [409, 'BlobImmutableDueToPolicy'],
  unprocessable: [409, 'BlockCountExceedsLimit'],
  tooLarge: [413, 'RequestBodyTooLarge'],
  unavailable: [503, 'ServerBusy'],
}

/** Converts a failure to XML, as Azure's clients expect. */
export function presentBlobError(error: unknown, around: { log: Logger; requestId: string }): Answer {
  if (error instanceof BlobError) return xmlAnswer(error, error.headers)
  const { kind, message, retryAfter } = explainError(error, around)
  const [status, code] = codes[kind] ?? [500, 'InternalError']
  return xmlAnswer({ status, code, message }, retryAfter)
}

function xmlAnswer(
  { status, code, message }: Pick<BlobError, 'status' | 'code' | 'message'>,
  headers: Record<string, string>,
): Answer {
  const body = `<?xml version="1.0" encoding="utf-8"?><Error><Code>${code}</Code><Message>${escaped(message)}</Message></Error>`
  return { status, headers: { ...headers, 'Content-Type': 'application/xml', 'x-ms-error-code': code }, body }
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
