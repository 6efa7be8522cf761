import { initTRPC } from '@trpc/server'
import { ZodError } from 'zod'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { type DomainError, errorTable, isDomainError } from '@/server/kernel/errors'
import type { Upload } from '@/server/kernel/http/upload'
import type { Meta } from './rest'

export const t = initTRPC
  .context<RequestCtx>()
  .meta<Meta>()
  .create({
    isServer: true,
    errorFormatter({ shape, error, ctx }) {
      const cause = error.cause
      const requestId = ctx?.requestId ?? ''
      if (isDomainError(cause)) {
        return {
          ...shape,
          data: {
            ...shape.data,
            stack: undefined,
            kind: cause.kind,
            field: cause.field,
            reason: cause.reason,
            movedTo: cause.movedTo?.name,
            viewer: cause.viewer,
            current: cause.current,
            requestId,
          },
        }
      }
      const known = Object.entries(errorTable).find(([, row]) => row.trpc === error.code)?.[0] ?? 'internal'
      const [issue] = cause instanceof ZodError ? cause.issues : []
      const message =
        known === 'internal' ? `internal error (request ${requestId})` : (issue?.message ?? shape.message)
      return {
        ...shape,
        message,
        data: {
          ...shape.data,
          stack: undefined,
          kind: known,
          // Its path in the input, of which a form has the first part.
          field: issue?.path[0] === undefined ? undefined : String(issue.path[0]),
          reason: undefined,
          movedTo: undefined,
          viewer: undefined,
          current: undefined,
          requestId,
        },
      }
    },
  })

export const router = t.router

/** A verb's context plus what belongs to the one request it arrived in. */
export interface RequestCtx extends ServiceCtx {
  /** A body that could not be read. It is answered only after the caller's right to the endpoint is settled. */
  bodyError?: DomainError
  /** The body of an endpoint that reads it as it comes; nothing of it is read before. */
  upload?: Upload | undefined
  /** Written by procedures, sent by the transport. */
  out: { cookies: string[] }
  userAgent: string
}
