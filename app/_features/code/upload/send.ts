import type { Fetch } from '@/app/_lib/trpc'

/** Thrown if a file can no longer be read. */
export class UnreadableFile extends Error {}

/** Returns the content of a file in Base64. */
export async function readBase64(file: File): Promise<string> {
  const reader = new FileReader()
  const url = await new Promise<string>((done, fail) => {
    reader.onload = () => done(reader.result as string)
    reader.onerror = () => fail(new UnreadableFile(file.name, { cause: reader.error }))
    reader.readAsDataURL(file)
  })
  const comma = url.indexOf(',')
  return comma < 0 ? '' : url.slice(comma + 1)
}

/** Returns a `fetch` that reports which share of a request has been sent, from 0 to 1. `fetch` itself cannot. */
export const fetchWithProgress =
  (onProgress: (share: number) => void): Fetch =>
  (url, init) =>
    new Promise((done, fail) => {
      const request = new XMLHttpRequest()
      request.open(init?.method ?? 'GET', String(url))
      new Headers(init?.headers as HeadersInit).forEach((value, name) => {
        request.setRequestHeader(name, value)
      })
      request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / Math.max(total, 1))
      request.upload.onload = () => onProgress(1)
      request.onload = () => done(new Response(request.responseText, { status: request.status }))
      request.onerror = () => fail(new TypeError('the request failed'))
      request.onabort = () => fail(new DOMException('the request was canceled', 'AbortError'))
      init?.signal?.addEventListener('abort', () => request.abort())
      request.send(init?.body as XMLHttpRequestBodyInit)
    })
