import { viewerHeader, viewerName } from '@/server/auth/page-viewer'
import type { Site } from './site'

export interface BrowserAnswer {
  status: number
  headers: Headers
  /** The result of the procedure; undefined if it failed. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape.
  data: any
  error:
    | { message: string; data: { kind: string; field?: string; requestId?: string; viewer?: string | null } }
    | undefined
  text: string
}

/**
 * A person's browser. Like the pages, it stores the session cookie and sends the headers that identify the
 * origin of a request and the viewer for whom the page was rendered.
 */
export class Browser {
  cookie = ''
  /** The open page, with the cookie and the viewer for which it was rendered. */
  private page = { cookie: '', viewer: viewerName(undefined) }

  constructor(
    private readonly site: Pick<Site, 'url'>,
    private readonly headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' },
  ) {}

  query(procedure: string, input?: unknown): Promise<BrowserAnswer> {
    const query = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`
    return this.send(`${procedure}${query}`, {})
  }

  async mutate(
    procedure: string,
    input?: unknown,
    headers: Record<string, string> = {},
  ): Promise<BrowserAnswer> {
    const body = input === undefined ? undefined : JSON.stringify(input)
    const viewer = await this.viewer()
    return await this.send(procedure, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', [viewerHeader]: viewer, ...headers },
    })
  }

  // If the cookie has changed, for example by signing in, the page is rendered again.
  private async viewer(): Promise<string> {
    if (this.page.cookie !== this.cookie) {
      const { cookie } = this
      this.page = { cookie, viewer: viewerName((await this.query('sessions.getCurrent')).data?.user.id) }
    }
    return this.page.viewer
  }

  private async send(path: string, init: RequestInit): Promise<BrowserAnswer> {
    const headers = { ...this.headers, ...(init.headers as Record<string, string>), cookie: this.cookie }
    const response = await fetch(`${this.site.url}/api/trpc/${path}`, { ...init, headers })
    for (const line of response.headers.getSetCookie()) this.cookie = line.split(';')[0] ?? ''
    const text = await response.text()
    const body = text ? JSON.parse(text) : {}
    return {
      status: response.status,
      headers: response.headers,
      data: body.result?.data,
      error: body.error,
      text,
    }
  }
}

/** Returns a browser in which this person is signed in. */
export async function signIn(
  site: Pick<Site, 'url'>,
  person: { name: string; password: string },
): Promise<Browser> {
  const browser = new Browser(site)
  const answer = await browser.mutate('sessions.signIn', { login: person.name, password: person.password })
  if (answer.status !== 200) throw new Error(`the person cannot sign in: ${answer.text}`)
  return browser
}
