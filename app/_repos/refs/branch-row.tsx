'use client'
import { GitBranchIcon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import { Label } from '@/app/_components/primer'
import type { Branch } from '@/server/repos/refs/schema'
import { fetchBranchCommand } from '../git-commands'
import { RefRow } from './ref-row'

interface BranchRowProps {
  branch: Branch
  isDefault: boolean
  action?: ReactNode
}

export function BranchRow({ branch: { name, commit }, isDefault, action }: BranchRowProps): ReactNode {
  return (
    <RefRow
      icon={GitBranchIcon}
      name={name}
      message={commit.message}
      author={commit.author.name}
      sha={commit.id}
      time={commit.timestamp}
      fetchCommand={fetchBranchCommand(name)}
      label={isDefault ? <Label variant="accent">Default</Label> : null}
      action={action}
    />
  )
}
