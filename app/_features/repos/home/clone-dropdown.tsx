'use client'
import type { ReactNode } from 'react'
import { Dropdown } from '@/app/_components/dropdown'
import { DownloadIcon } from '@/app/_components/icons'
import { archivePath } from '@/app/_lib/paths'
import styles from './home.module.css'

interface CloneDropdownProps {
  fullName: string
  branch: string
  children: ReactNode
}

export function CloneDropdown({ fullName, branch, children }: CloneDropdownProps): ReactNode {
  const repository = { full_name: fullName }
  return (
    <Dropdown button="Code" label="Clone or download" variant="primary" align="end">
      {() => (
        <>
          {children}
          <p className={styles.archives}>
            <a href={archivePath(repository, branch, 'zip')} className={styles.link}>
              <DownloadIcon /> Download ZIP
            </a>
            <a href={archivePath(repository, branch, 'tar.gz')} className={styles.link}>
              <DownloadIcon /> Download TAR.GZ
            </a>
          </p>
        </>
      )}
    </Dropdown>
  )
}
