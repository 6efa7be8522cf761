import { initTRPC } from '@trpc/server'
import { errorTable, isDomainError } from '@/server/kernel/errors'
import type { RequestCtx } from './context'
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
      const message = known === 'internal' ? `internal error (request ${requestId})` : shape.message
      return {
        ...shape,
        message,
        data: {
          ...shape.data,
          stack: undefined,
          kind: known,
          field: undefined,
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
