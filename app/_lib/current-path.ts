import { headers } from 'next/headers'

/** Written by proxy.ts: a layout is not told which page it wraps. */
export const pathHeader = 'x-guildhall-path'

export async function currentPath(): Promise<string> {
  return (await headers()).get(pathHeader) ?? '/'
}
