import { processServices } from '@/server/services'
import { keysText } from './handler'

/** Key lists for hosting under plain Next, which rewrites `/{username}.keys` to `/-/user-keys/{username}`. */
export async function keysTextRoute(request: Request): Promise<Response> {
  const name = new URL(request.url).pathname.split('/').at(-1) ?? ''
  return await keysText(await processServices(), name.replace(/\.keys$/, ''))
}
