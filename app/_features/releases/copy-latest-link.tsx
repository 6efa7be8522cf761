'use client'
import { LinkIcon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import { CopyButton } from '@/app/_components/copy-button'

/** Copies where the file of this name is found in whichever release is the latest. */
export function CopyLatestLink({ url, name }: { url: string; name: string }): ReactNode {
  return <CopyButton text={url} what={`link to the latest ${name}`} icon={LinkIcon} />
}
