'use client'
import { LinkIcon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import { CopyButton } from '@/app/_components/copy-button'

/** Copies the address that always leads to this file name in the latest release. */
export function CopyLatestLink({ url, name }: { url: string; name: string }): ReactNode {
  return <CopyButton text={url} what={`link to the latest ${name}`} icon={LinkIcon} />
}
