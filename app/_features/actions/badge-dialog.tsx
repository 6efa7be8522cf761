'use client'
import { type ReactNode, useState } from 'react'
import { CommandLine } from '@/app/_components/copy-button'
import form from '@/app/_components/form.module.css'
import { Dialog, FormControl, Select } from '@/app/_components/primer'
import { repositoryPath } from '@/app/_lib/paths'
import { visibleLine } from '@/app/_lib/visible-text'
import styles from './actions.module.css'

export interface BadgeDialogProps {
  repository: { full_name: string; html_url: string; default_branch: string }
  /** File of the workflow. */
  file: string
  name: string
  branches: readonly string[]
  events: readonly string[]
  onClose: () => void
}

/** Dialog with the Markdown of a badge that shows how a workflow went on a branch. */
export function BadgeDialog(props: BadgeDialogProps): ReactNode {
  const { repository, file, name, branches, events, onClose } = props
  const [branch, setBranch] = useState('')
  const [event, setEvent] = useState('')
  const query = String(new URLSearchParams({ ...(branch && { branch }), ...(event && { event }) }))
  const image = `actions/workflows/${encodeURIComponent(file)}/badge.svg${query && `?${query}`}`
  const site = repository.html_url
  const page = `${site}/actions?workflow=${encodeURIComponent(file)}`
  const alt = visibleLine(name).replace(/[\\[\]]/g, '\\$&')
  const markdown = `[![${alt}](${site}/${image})](${page})`
  const others = branches.filter(each => each !== repository.default_branch)
  return (
    <Dialog title="Create status badge" width="large" onClose={onClose}>
      <div className={form.form}>
        <FormControl>
          <FormControl.Label>Branch</FormControl.Label>
          <Select block value={branch} onChange={({ target }) => setBranch(target.value)}>
            <option value="">{`Default branch (${visibleLine(repository.default_branch)})`}</option>
            {others.map(each => (
              <option key={each} value={each}>
                {visibleLine(each)}
              </option>
            ))}
          </Select>
        </FormControl>
        <FormControl>
          <FormControl.Label>Event</FormControl.Label>
          <Select block value={event} onChange={({ target }) => setEvent(target.value)}>
            <option value="">Any event</option>
            {events.map(each => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </Select>
        </FormControl>
        <p>
          {/* biome-ignore lint/performance/noImgElement: a badge is a small file of our own */}
          <img
            src={repositoryPath(repository, image)}
            alt={`Badge of ${visibleLine(name)}`}
            height={20}
            className={styles.badge}
          />
        </p>
        <CommandLine command={markdown} what="Markdown" />
      </div>
    </Dialog>
  )
}
