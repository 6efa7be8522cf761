import type { Answer, Call, Connection, Handler } from '@/server/kernel/http/call'
import type { Services } from '@/server/services'

/** Part of the site's paths with the handler of their requests. */
export interface Mount {
  /** The label of its requests in metrics and logs. */
  name: string
  /**
   * Tells whether it answers a method at a path, as sent. HEAD is asked for as GET. A mount alone at its paths takes every
   * method and refuses some itself; one that shares a path with another takes its own.
   */
  match(path: string, method: string): boolean
  /** Makes the handler, once for the life of the process. */
  createHandler(services: Services): Handler
  /**
   * Tells of a matched path and method whether a body may come for as long as it does not fall silent: the server's deadline
   * for bodies then begins only with the end of the answer.
   */
  pacesBody?(path: string, method: string): boolean
  /** Presents a failure from before its handler in the form that its clients know; without, it is that of the API. */
  refuse?(error: unknown, call: Call, surroundings: Services & Connection): Answer
}

/** Tells whether a path is at a prefix or below it. Repeated slashes before the prefix's end count as one. */
export function isBelow(path: string, prefix: string): boolean {
  const single = path.startsWith('//') || path.startsWith('/api//') ? path.replace(/\/{2,}/g, '/') : path
  return single === prefix || single.startsWith(`${prefix}/`)
}

/** Finds the mount that answers a method at a path, as sent: the first one that matches. */
export function findMount<M extends Mount>(
  mounts: readonly M[],
  path: string,
  method: string,
): M | undefined {
  const asked = method === 'HEAD' ? 'GET' : method
  return mounts.find(mount => mount.match(path, asked))
}

/** Lists the methods that other mounts than this one, or any for none, answer at a path. */
export function otherMethods(mounts: readonly Mount[], path: string, own?: Mount): string[] {
  return ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].filter(method => {
    const found = findMount(mounts, path, method)
    return found !== undefined && found !== own
  })
}

/** Makes a handler name in the `Allow` of a 405 also the methods that other mounts answer at the path. */
export function allowingOthers(mounts: readonly Mount[], own: Mount, handle: Handler): Handler {
  return async (call, connection) => {
    const answer = await handle(call, connection)
    return answer.status === 405 ? allowing(answer, otherMethods(mounts, call.path, own)) : answer
  }
}

function allowing(answer: Answer, methods: readonly string[]): Answer {
  if (methods.length === 0) return answer
  const own = [answer.headers.Allow ?? []].flat().flatMap(list => list.split(/, */))
  return { ...answer, headers: { ...answer.headers, Allow: [...new Set([...own, ...methods])].join(', ') } }
}
