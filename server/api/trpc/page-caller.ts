import { randomUUID } from 'node:crypto'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { passwordPage } from '@/server/auth/acting-account'
import { pageExchanges } from '@/server/kernel/page-exchange'
import { singleton } from '@/server/kernel/singleton'
import type { PageProcedures } from './page-procedures'

/**
 * Returns the procedures for a page that is being rendered on the server, called as the user who requested
 * it.
 */
export async function pageCaller(): Promise<PageProcedures> {
  const connection = pageExchanges.getStore() ?? { remoteAddress: '', requestId: randomUUID() }
  // Our own server provides its copy. Only plain Next loads the one that is bundled with the pages.
  const open = await singleton(
    'page-procedures',
    async () => (await import('./page-procedures')).openPageProcedures,
  )
  // Every procedure fails until the password is changed; redirecting here spares each page from handling it.
  return await open(await headers(), connection, () => redirect(passwordPage))
}
