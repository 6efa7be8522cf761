import { TRPCError } from '@trpc/server'
import { errorTable, isDomainError } from '@/server/kernel/errors'
import { t } from './init'

/** Gives a domain error its tRPC code, once for every transport that runs on procedures. */
export const domainErrors = t.middleware(async ({ next }) => {
  const result = await next()
  if (result.ok || !isDomainError(result.error.cause)) return result
  const cause = result.error.cause
  throw new TRPCError({ code: errorTable[cause.kind].trpc, message: cause.message, cause })
})
