'use client'
import { type ReactNode, useState } from 'react'
import { PencilIcon } from '@/app/_components/icons'
import { Button } from '@/app/_components/primer'
import { TopicList } from '@/app/_features/repos/topic-list'
import styles from '@/app/_features/repos/topics.module.css'
import { readFailure } from '@/app/_lib/failure'
import type { RepoPath } from '@/app/_lib/paths'
import { toast } from '@/app/_lib/toast'
import { useLazyComponent } from '@/app/_lib/workarounds/use-lazy-component'

interface TopicsProps {
  path: RepoPath
  topics: readonly string[]
  mayEdit: boolean
}

const loadEditor = async () => (await import('./topic-editor')).TopicEditor

/** Topics of a repository, which its administrators edit in place. */
export function Topics({ path, topics, mayEdit }: TopicsProps): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const Editor = useLazyComponent(loadEditor, isOpen, error => {
    setOpen(false)
    toast.error(readFailure(error).message)
  })
  if (!mayEdit) return <TopicList topics={topics} />
  return (
    <div className={styles.editor}>
      {isOpen && Editor ? <Editor path={path} topics={topics} /> : <TopicList topics={topics} />}
      <div>
        <Button
          size="small"
          leadingVisual={isOpen ? undefined : PencilIcon}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Done' : topics.length > 0 ? 'Edit topics' : 'Add topics'}
        </Button>
      </div>
    </div>
  )
}
