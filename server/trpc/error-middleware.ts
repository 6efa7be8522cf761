import { TRPCError } from '@trpc/server'
import { domainErrorOf } from '@/server/kernel/domain-error-of'
import { errorTable } from '@/server/kernel/errors'
import { t } from './init'

/** Gives a domain error its tRPC code, once for every transport that runs on procedures. */
export const domainErrors = t.middleware(async ({ ctx, next }) => {
  const result = await next()
  if (result.ok) return result
  const cause = domainErrorOf(result.error.cause, ctx)
  if (!cause) return result
  throw new TRPCError({ code: errorTable[cause.kind].trpc, message: cause.message, cause })
})
