import { Code, ConnectError } from '@connectrpc/connect'
import { codeFromString, codeToHttpStatus, errorToJson } from '@connectrpc/connect/protocol-connect'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { errorTable } from '@/server/kernel/errors'
import type { Answer } from '@/server/kernel/http/call'
import { explainError } from '@/server/kernel/http/explain'
import { securityHeaders } from '@/server/kernel/http/security-headers.mjs'

type Around = Pick<ServiceCtx, 'log' | 'requestId'>

/** A request that no method can be called with. Its status is not the one that Connect has for the code. */
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

/** Turns any failure of a method into one of Connect. */
export function connectErrorOf(error: unknown, around: Around): ConnectError {
  const { kind, message, retryAfter } = explainError(error, around)
  return new ConnectError(message, codeFromString(errorTable[kind].connect) ?? Code.Unknown, retryAfter)
}

/** Turns a failure before the method into what Connect has for it: JSON, whatever the format of the request. */
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
