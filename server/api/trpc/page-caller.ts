import { randomUUID } from 'node:crypto'
import { headers } from 'next/headers'
import { appRouter } from '../root'
import { services } from '../services'
import { sessionContext } from './handler'

/** Procedures for a page while it is rendered on the server, in the name of the person who asks for it. */
export async function pageCaller(): Promise<ReturnType<typeof appRouter.createCaller>> {
  const connection = { remoteAddress: '', requestId: randomUUID() }
  const ctx = await sessionContext(await services(), await headers(), connection)
  return appRouter.createCaller(ctx)
}
