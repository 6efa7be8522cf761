'use client'
import { GearIcon, PeopleIcon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import { SettingsMenu } from '@/app/_components/settings-menu'
import { repositoryAddress } from '@/app/_features/repos/repository-address'

const pages = [
  { part: 'settings', words: 'General', Icon: GearIcon },
  { part: 'settings/access', words: 'Access', Icon: PeopleIcon },
]

export function SettingsNav({ repository }: { repository: { full_name: string } }): ReactNode {
  return (
    <SettingsMenu
      label="Repository settings"
      pages={pages}
      addressOf={part => repositoryAddress(repository, part)}
    />
  )
}
