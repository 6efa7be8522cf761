'use client'
import { type ReactNode, useEffect, useState } from 'react'
import { type Icon, OrganizationIcon, PeopleIcon, PersonIcon, RepoIcon } from '@/app/_components/icons'
import { QuietLink } from '@/app/_components/links'
import { forgetIfDeleted, type RecentPage, recentPages } from '@/app/_lib/recent-pages'
import styles from './recent-links.module.css'

const mostShown = 6

/** One line with the pages that the viewer last visited in this browser, which search also suggests. */
export function RecentLinks(): ReactNode {
  const [pages, setPages] = useState<RecentPage[]>()
  useEffect(() => {
    setPages(
      recentPages()
        .filter(({ kind }) => kind !== 'settings')
        .slice(0, mostShown),
    )
  }, [])

  return (
    <nav aria-label="Recent" className={styles.recent}>
      <span aria-hidden="true" className={styles.title}>
        Recent
      </span>
      {pages?.length === 0 ? (
        <span className={styles.none}>Pages that you visit will appear here.</span>
      ) : null}
      {pages?.length ? (
        <ul className={styles.list}>
          {pages.map(({ kind, text, href }) => {
            const Visual = icons[kind] ?? RepoIcon
            return (
              <li key={href} className={styles.page} onClickCapture={() => forgetIfDeleted(href)}>
                <Visual />
                <bdi>
                  <QuietLink href={href}>{text}</QuietLink>
                </bdi>
              </li>
            )
          })}
        </ul>
      ) : null}
    </nav>
  )
}

const icons: Partial<Record<RecentPage['kind'], Icon>> = {
  organization: OrganizationIcon,
  team: PeopleIcon,
  person: PersonIcon,
}
