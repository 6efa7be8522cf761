'use client'
import type { ReactNode } from 'react'
import { CopyButton } from '@/app/_components/copy-button'
import { LinkIcon } from '@/app/_components/icons'

/** Button that copies the permanent URL of the file with this name in the latest release. */
export function CopyLatestLink({ url, name }: { url: string; name: string }): ReactNode {
  return <CopyButton text={url} what={`link to the latest ${name}`} icon={LinkIcon} />
}
