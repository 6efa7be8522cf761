import { randomUUID } from 'node:crypto'
import { pageHeaders } from '@/server/kernel/http/page-headers'
import { pageExchanges } from '@/server/kernel/page-exchange'
import { settlesWithin } from '@/server/kernel/settles-within'
import type { Services } from '@/server/services'
import type { PageHandler } from './page-handler'
import { renderPage } from './render-page'

// Pages for visitors, which between them load and compile most of what other pages use.
const urls = ['/-/sign-in', '/explore', '/']
const rounds = 3
const maxMs = 10_000

/**
 * Renders pages before the process says that it is ready, because the first ones take many times as long as later
 * ones. Pages that fail or take too long are left to their visitors.
 */
export async function warmPages(services: Services, pages: PageHandler): Promise<void> {
  services.warming = true
  const { host } = new URL(services.config.baseUrl)
  const renderAll = async (): Promise<void> => {
    for (let round = 0; round < rounds; round++) {
      for (const url of urls) {
        const exchange = { requestId: randomUUID(), remoteAddress: '' }
        await pageExchanges.run(exchange, () => renderPage(pages, url, { host, ...pageHeaders(url) }))
      }
    }
  }
  const warmed = renderAll().catch((error: unknown) =>
    services.log.warn({ err: error }, 'a page could not be rendered'),
  )
  await settlesWithin(maxMs, warmed)
  services.warming = false
}
