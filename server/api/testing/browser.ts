import type { Site } from './site'

export interface BrowserAnswer {
  status: number
  headers: Headers
  /** What the procedure gave; undefined for an error. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape.
  data: any
  error: { message: string; data: { kind: string; field?: string; requestId?: string } } | undefined
  text: string
}

/** Somebody's browser on our pages: it keeps the cookie and says where its requests come from. */
export class Browser {
  cookie = ''

  constructor(
    private readonly site: Site,
    private readonly headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' },
  ) {}

  query(procedure: string, input?: unknown): Promise<BrowserAnswer> {
    const query = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`
    return this.send(`${procedure}${query}`, {})
  }

  mutate(procedure: string, input?: unknown, headers: Record<string, string> = {}): Promise<BrowserAnswer> {
    const body = input === undefined ? undefined : JSON.stringify(input)
    return this.send(procedure, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    })
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

/** A browser in which this person has signed in. */
export async function signIn(site: Site, person: { name: string; password: string }): Promise<Browser> {
  const browser = new Browser(site)
  const answer = await browser.mutate('sessions.signIn', { login: person.name, password: person.password })
  if (answer.status !== 200) throw new Error(`cannot sign in: ${answer.text}`)
  return browser
}
