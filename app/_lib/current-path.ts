import { headers } from 'next/headers'
import { pathHeader } from './path-header'

/** Path and query of the page being rendered. */
export async function currentPath(): Promise<string> {
  return (await headers()).get(pathHeader) ?? '/'
}
