'use client'
import { GearIcon, PeopleIcon, PulseIcon, RepoIcon, ShieldIcon } from '@primer/octicons-react'
import NextLink from 'next/link'
import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import { UnderlineNav } from '@/app/_components/primer'
import { teamAddress } from '../../../_org/org-address'
import styles from './team.module.css'

interface TeamTabsProps {
  org: string
  team: string
  mayManage: boolean
}

const forAll = [
  { part: '', words: 'Members', Icon: PeopleIcon },
  { part: 'repositories', words: 'Repositories', Icon: RepoIcon },
  { part: 'permissions', words: 'Permissions', Icon: ShieldIcon },
  { part: 'activity', words: 'Activity', Icon: PulseIcon },
]

export function TeamTabs({ org, team, mayManage }: TeamTabsProps): ReactNode {
  const current = usePathname().split('/')[6] ?? ''
  const tabs = mayManage ? [...forAll, { part: 'settings', words: 'Settings', Icon: GearIcon }] : forAll
  return (
    <div className={styles.tabs}>
      <UnderlineNav aria-label="Team" variant="flush">
        {tabs.map(({ part, words, Icon }) => (
          <UnderlineNav.Item
            key={part}
            as={NextLink}
            href={teamAddress(org, team, part)}
            prefetch={false}
            leadingVisual={<Icon />}
            aria-current={part === current ? 'page' : undefined}
          >
            {words}
          </UnderlineNav.Item>
        ))}
      </UnderlineNav>
    </div>
  )
}
