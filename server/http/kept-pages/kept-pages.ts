import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { createKept, type Made } from '@/server/events'
import type { Connection } from '@/server/kernel/http/call'
import { pageHeaders, policyHeader } from '@/server/kernel/http/page-headers'
import { type PageExchange, pageExchanges } from '@/server/kernel/page-exchange'
import { repositoriesIn } from '@/server/repos'
import type { Services } from '@/server/services'
import type { PageHandler } from '../page-handler'
import { type RenderedPage, renderAbsent, renderPage } from '../render-page'
import { type SharedPage, sharedPage } from './page'
import { readVisit, type Visit } from './visit'

const maxBytes = 16 * 1024 * 1024

/** Pages that were rendered for visitors. */
export interface KeptPages {
  /**
   * Returns the page that a visitor asks for, as current as `Kept` promises; undefined if it must be rendered
   * for this request alone.
   */
  find(request: IncomingMessage, connection: Connection): Promise<SharedPage | undefined>
}

/** Keeps pages for visitors until something on them may have changed. */
export function createKeptPages(
  { db, config }: Pick<Services, 'db' | 'config'>,
  pages: PageHandler,
): KeptPages {
  const kept = createKept<SharedPage | undefined>(db, maxBytes)
  const { host } = new URL(config.baseUrl)

  async function render(
    { path, cookie }: Visit,
    connection: Connection,
  ): Promise<Made<SharedPage | undefined>> {
    const headers = { host, cookie, ...pageHeaders(path) }
    // The page is for others, too: it goes on if this visitor leaves.
    const { requestId, remoteAddress } = connection
    const pageReads = new Map<string, Promise<unknown>>()
    const exchange: PageExchange = { requestId, remoteAddress, pageReads }
    const rendered = await pageExchanges.run(exchange, () => renderVisible(pages, path, headers))
    if (exchange.isAbsent && rendered.status === 200) rendered.status = 404
    // What went wrong is said in the usual way.
    if (rendered.status >= 500)
      return { value: undefined, bytes: 0, isShared: false, repositories: new Set() }
    const policy = { 'Content-Security-Policy': headers[policyHeader] }
    const page = sharedPage({ ...rendered, headers: { ...rendered.headers, ...policy } })
    const isShared = page.status === 200 && isPage(rendered) && !exchange.isIncomplete
    return { value: page, bytes: page.bytes, isShared, repositories: await repositoriesIn(pageReads) }
  }

  return {
    async find(request, connection) {
      const visit = readVisit(request)
      return await (visit && kept.get(visit.key, visit.shows, () => render(visit, connection)))
    },
  }
}

async function renderVisible(
  pages: PageHandler,
  path: string,
  headers: IncomingHttpHeaders,
): Promise<RenderedPage> {
  const page = await renderPage(pages, path, headers)
  return page.status === 404 && isPage(page) ? await renderAbsent(pages, headers) : page
}

const isPage = ({ headers }: Pick<RenderedPage, 'headers'>): boolean =>
  String(headers['content-type']).startsWith('text/html')
