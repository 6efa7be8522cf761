'use client'
import { BlockedIcon, OrganizationIcon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import { SettingsMenu } from '@/app/_components/settings-menu'
import { orgAddress } from '@/app/_features/orgs/org-address'

const pages = [
  { part: 'settings', words: 'General', Icon: OrganizationIcon },
  { part: 'settings/blocked', words: 'Blocked users', Icon: BlockedIcon },
]

export function OrgSettingsNav({ org }: { org: string }): ReactNode {
  return (
    <SettingsMenu
      label="Settings of the organization"
      pages={pages}
      addressOf={part => orgAddress(org, part)}
    />
  )
}
