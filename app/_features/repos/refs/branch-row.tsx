'use client'
import { GitBranchIcon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import { Label } from '@/app/_components/primer'
import { fetchBranchCommand } from '@/app/_features/repos/git-commands'
import type { BranchTip } from '@/server/repos/schema'
import { RefRow } from './ref-row'

interface BranchRowProps {
  branch: BranchTip
  isDefault: boolean
  action?: ReactNode
}

export function BranchRow({ branch, isDefault, action }: BranchRowProps): ReactNode {
  const { name } = branch
  return (
    <RefRow
      icon={GitBranchIcon}
      name={name}
      message={branch.summary}
      author={branch.author}
      sha={branch.sha}
      time={branch.time}
      fetchCommand={fetchBranchCommand(name)}
      label={isDefault ? <Label variant="accent">Default</Label> : null}
      action={action}
    />
  )
}
