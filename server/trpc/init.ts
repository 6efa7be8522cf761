import { initTRPC } from '@trpc/server'
import { ZodError } from 'zod'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { type DomainError, errorTable, isDomainError } from '@/server/kernel/errors'
import type { SpilledBytes } from '@/server/kernel/http/spilled-texts'
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
          // The path of the issue in the input; forms know its first part.
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

/** Context of a procedure: the service context and what belongs to the request. */
export interface RequestCtx extends ServiceCtx {
  /**
   * Error of a body that could not be read. It is reported only after the caller's access to the endpoint is
   * checked.
   */
  bodyError?: DomainError
  /** Body of an endpoint that reads it as a stream; nothing is read in advance. */
  upload?: Upload | undefined
  /** Long texts of the body, decoded from Base64, by what replaced them. */
  spilled?: ReadonlyMap<string, SpilledBytes> | undefined
  /** Values that procedures write and the transport sends. */
  out: { cookies: string[]; status?: 201 }
  userAgent: string
}
