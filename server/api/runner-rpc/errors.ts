import { Code, ConnectError } from '@connectrpc/connect'
import { codeFromString, codeToHttpStatus, errorToJson } from '@connectrpc/connect/protocol-connect'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { errorTable } from '@/server/kernel/errors'
import type { Answer } from '@/server/kernel/http/call'
import { explainError } from '@/server/kernel/http/explain'
import { securityHeaders } from '@/server/kernel/http/security-headers.mjs'

type Around = Pick<ServiceCtx, 'log' | 'requestId'>

/**
 * Request that cannot be passed to any method. Its HTTP status differs from the one that Connect assigns to
 * the code.
 */
export class RequestError extends Error {
  constructor(
    readonly status: number,
    readonly code: Code,
    message: string,
    readonly headers: Record<string, string> = {},
  ) {
    super(message)
  }
}

/** Converts any failure of a method to a Connect error. */
export function connectErrorOf(error: unknown, around: Around): ConnectError {
  const { kind, message, retryAfter } = explainError(error, around)
  return new ConnectError(message, codeFromString(errorTable[kind].connect) ?? Code.Unknown, retryAfter)
}

/**
 * Converts an error that occurred before the RPC method was called to a response in Connect's JSON format,
 * regardless of the format of the request.
 */
export function presentConnectError(error: unknown, around: Around): Answer {
  if (error instanceof RequestError) {
    return connectAnswer(error.status, new ConnectError(error.message, error.code, error.headers))
  }
  const failure = connectErrorOf(error, around)
  return connectAnswer(codeToHttpStatus(failure.code), failure)
}

const connectAnswer = (status: number, error: ConnectError): Answer => ({
  status,
  headers: { ...commonHeaders, 'Content-Type': 'application/json', ...Object.fromEntries(error.metadata) },
  body: JSON.stringify(errorToJson(error, undefined)),
})

export const commonHeaders = { ...securityHeaders, 'Cache-Control': 'no-store' }
