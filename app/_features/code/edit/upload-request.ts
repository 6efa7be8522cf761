/**
 * Creates a function that requests a URL as `fetch` does, and reports how much of the body was sent, from 0 to 1,
 * which `fetch` cannot.
 */
export const fetchWithProgress =
  (onProgress: (share: number) => void): typeof fetch =>
  (url, { method = 'GET', headers, body, signal } = {}) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      const stop = (): void => {
        request.abort()
        reject(signal?.reason)
      }
      if (signal?.aborted) return stop()
      signal?.addEventListener('abort', stop, { once: true })
      request.open(method, String(url))
      for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value)
      request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total)
      request.upload.onload = () => onProgress(1)
      request.onload = () => resolve(new Response(request.responseText, { status: request.status }))
      request.onerror = () => reject(new TypeError('The request failed.'))
      request.send(body as XMLHttpRequestBodyInit)
    })
