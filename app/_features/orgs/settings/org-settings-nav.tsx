'use client'
import { BlockedIcon, OrganizationIcon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import { SettingsMenu } from '@/app/_components/settings-menu'
import { orgPath } from '@/app/_lib/paths'

const pages = [
  { segment: 'settings', label: 'General', Icon: OrganizationIcon },
  { segment: 'settings/blocked', label: 'Blocked users', Icon: BlockedIcon },
]

export function OrgSettingsNav({ org }: { org: string }): ReactNode {
  return (
    <SettingsMenu
      label="Settings of the organization"
      pages={pages}
      pathOf={segment => orgPath(org, segment)}
    />
  )
}
