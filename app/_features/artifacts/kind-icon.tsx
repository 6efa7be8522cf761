import type { ReactNode } from 'react'
import { FileBinaryIcon, FileIcon, FileMediaIcon, FileZipIcon } from '@/app/_components/icons'
import type { FileKind } from '@/server/artifacts/contents/schema'

const icons: Record<FileKind, typeof FileIcon> = {
  zip: FileZipIcon,
  json: FileIcon,
  html: FileIcon,
  text: FileIcon,
  pdf: FileIcon,
  svg: FileMediaIcon,
  image: FileMediaIcon,
  audio: FileMediaIcon,
  video: FileMediaIcon,
  none: FileBinaryIcon,
}

/** Icon for a kind of file. */
export function KindIcon({ kind }: { kind: FileKind }): ReactNode {
  const Visual = icons[kind]
  return <Visual />
}
