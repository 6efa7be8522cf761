'use client'
import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import { Banner } from '@/app/_components/banner'
import {
  BookmarkIcon,
  CodeSquareIcon,
  GearIcon,
  GitBranchIcon,
  HomeIcon,
  KeyAsteriskIcon,
  KeyIcon,
  PeopleIcon,
  PlayIcon,
  PulseIcon,
  RocketIcon,
  ServerIcon,
  TagIcon,
  WebhookIcon,
} from '@/app/_components/icons'
import { RelativeDate } from '@/app/_components/relative-date'
import { SettingsMenu } from '@/app/_components/side-nav'
import { Tabs } from '@/app/_components/tabs'
import { repositoryPath } from '@/app/_lib/paths'
import type { Repository, RepositoryHome } from '@/server/repos/schema'
import styles from './repository.module.css'

export interface RepositoryTabsProps
  extends Pick<RepositoryHome, 'branches' | 'tags' | 'releases' | 'actions'>,
    Pick<Repository, 'full_name'> {
  mayRead: boolean
  mayAdminister: boolean
}

// The home page begins with the code, and leads to the labels.
const codeSegments = new Set([
  'src',
  'commits',
  'commit',
  'compare',
  'labels',
  '_edit',
  '_new',
  '_upload',
  '_delete',
])

/** Tabs for the parts of a repository that the viewer can access. */
export function RepositoryTabs(props: RepositoryTabsProps): ReactNode {
  const { branches, tags, releases, actions, mayRead, mayAdminister } = props
  const segment = usePathname().split('/')[3] ?? ''
  const current = codeSegments.has(segment) ? '' : segment
  const code = [
    { segment: 'branches', label: 'Branches', Icon: GitBranchIcon, count: branches },
    { segment: 'tags', label: 'Tags', Icon: TagIcon, count: tags ?? undefined },
  ]
  const tabs = [
    { segment: '', label: 'Home', Icon: HomeIcon },
    ...(mayRead ? code : []),
    ...(releases === null
      ? []
      : [{ segment: 'releases', label: 'Releases', Icon: RocketIcon, count: releases }]),
    ...(actions === null ? [] : [{ segment: 'actions', label: 'Actions', Icon: PlayIcon, count: actions }]),
    { segment: 'activity', label: 'Activity', Icon: PulseIcon },
    ...(mayAdminister ? [{ segment: 'settings', label: 'Settings', Icon: GearIcon }] : []),
  ]
  return (
    <Tabs
      label="Repository"
      tabs={tabs.map(({ segment, ...tab }) => ({
        ...tab,
        href: repositoryPath(props, segment),
        current: segment === current,
      }))}
    />
  )
}

const pages = [
  { segment: 'settings', label: 'General', Icon: GearIcon },
  { segment: 'settings/access', label: 'Access', Icon: PeopleIcon },
  { segment: 'settings/keys', label: 'Deploy keys', Icon: KeyIcon },
  { segment: 'settings/hooks', label: 'Webhooks', Icon: WebhookIcon },
  { segment: 'labels', label: 'Labels', Icon: BookmarkIcon },
  { segment: 'settings/actions/runners', label: 'Runners', Icon: ServerIcon },
  { segment: 'settings/actions/secrets', label: 'Secrets', Icon: KeyAsteriskIcon },
  { segment: 'settings/actions/variables', label: 'Variables', Icon: CodeSquareIcon },
  { segment: 'settings/actions/permissions', label: 'Job tokens', Icon: PlayIcon },
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

export function ArchivedNotice({ since }: { since: string }): ReactNode {
  return (
    <Banner
      className={styles.notice}
      variant="warning"
      title="This repository is archived"
      description={
        <>
          Archived <RelativeDate value={since} />. It’s read-only: people can clone it but not push to it.
        </>
      }
    />
  )
}
