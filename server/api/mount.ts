import type { Answer, Call, Connection, Handler } from '@/server/kernel/http/call'
import type { Services } from '@/server/services'

/** A set of the site's paths and methods with the handler that serves them. */
export interface Mount {
  /** Label of the mount's requests in metrics and logs. */
  name: string
  /**
   * Returns whether the mount serves a method at a path, which is spelled as sent. HEAD is passed as GET. The
   * query is that after the question mark. A mount that does not share its paths matches every method and rejects unsupported ones itself; others
   * match only their own methods.
   */
  match(path: string, method: string, query: string): boolean
  /** Creates the handler. Called once per process. */
  createHandler(services: Services): Handler
  /**
   * Returns whether a body for a matched path and method can take any time as long as data keeps arriving.
   * The server's deadline for bodies then starts only when the response ends.
   */
  pacesBody?(path: string, method: string): boolean
  /**
   * Formats failures that occur before the handler runs, as the mount's clients expect. Defaults to the API's
   * format.
   */
  refuse?(error: unknown, call: Call, surroundings: Services & Connection): Answer | Promise<Answer>
}

/** Returns whether a path equals a prefix or is below it. Repeated slashes within the prefix count as one. */
export function isBelow(path: string, prefix: string): boolean {
  const single = path.startsWith('//') || path.startsWith('/api//') ? path.replace(/\/{2,}/g, '/') : path
  return single === prefix || single.startsWith(`${prefix}/`)
}

/** Returns the first mount that serves a method at a path and query, which are spelled as sent. */
export function findMount<M extends Mount>(
  mounts: readonly M[],
  path: string,
  method: string,
  query = '',
): M | undefined {
  const asked = method === 'HEAD' ? 'GET' : method
  return mounts.find(mount => mount.match(path, asked, query))
}

/** Lists the methods that mounts other than `own` serve at a path. */
export function otherMethods(mounts: readonly Mount[], path: string, own?: Mount): string[] {
  return ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].filter(method => {
    const found = findMount(mounts, path, method)
    return found !== undefined && found !== own
  })
}

/**
 * Wraps a handler so that the `Allow` header of its 405 includes the methods that other mounts serve at the
 * path.
 */
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
