import { decodeSegment } from '@/app/_lib/paths'

export interface TaggedParams {
  params: Promise<{ username: string; repo: string; tag: string[] }>
}

/** The tag in the path of a release page, where it may span several segments. */
export async function tagIn(params: TaggedParams['params']): Promise<string> {
  return (await params).tag.map(decodeSegment).join('/')
}
