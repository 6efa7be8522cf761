'use client'
import { TagIcon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import { fetchTagCommand } from '@/app/_features/repos/git-commands'
import type { Tag } from '@/server/repos/refs/schema'
import { RefRow } from './ref-row'

export function TagRow({
  tag: { name, message, commit },
}: {
  tag: Pick<Tag, 'name' | 'message' | 'commit'>
}): ReactNode {
  return (
    <RefRow
      icon={TagIcon}
      name={name}
      message={message}
      sha={commit.sha}
      time={commit.created}
      fetchCommand={fetchTagCommand(name)}
    />
  )
}
