import { decodeSegment } from '@/app/_lib/paths'

export interface TaggedParams {
  params: Promise<{ username: string; repo: string; tag: string[] }>
}

/** The tag in the address of a page about its release; its slashes are those of the path. */
export async function tagIn(params: TaggedParams['params']): Promise<string> {
  return (await params).tag.map(decodeSegment).join('/')
}
