'use client'
import { GearIcon, PeopleIcon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import { SettingsMenu } from '@/app/_components/settings-menu'
import { repositoryPath } from '@/app/_lib/paths'

const pages = [
  { segment: 'settings', label: 'General', Icon: GearIcon },
  { segment: 'settings/access', label: 'Access', Icon: PeopleIcon },
]

export function SettingsNav({ repository }: { repository: { full_name: string } }): ReactNode {
  return (
    <SettingsMenu
      label="Repository settings"
      pages={pages}
      pathOf={segment => repositoryPath(repository, segment)}
    />
  )
}
