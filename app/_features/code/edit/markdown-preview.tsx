'use client'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { markdownClass } from '@/app/_components/markdown'
import { SkeletonBox } from '@/app/_components/primer'
import { readFailure } from '@/app/_lib/failure'
import { trpc } from '@/app/_lib/trpc'
import styles from './edit.module.css'
import type { EditedRepository } from './edited-repository'

interface MarkdownPreviewProps {
  repository: EditedRepository
  branch: string
  path: string
  text: string
}

const maxLength = 512 * 1024

/** A Markdown text as its page will show it. */
export function MarkdownPreview({ repository, branch, path, text }: MarkdownPreviewProps): ReactNode {
  const { owner, name: repo } = repository
  const isLong = text.length > maxLength
  const { data, error } = useQuery({
    queryKey: ['markdown-preview', repository.full_name, branch, path, text],
    queryFn: () => trpc.code.edit.previewMarkdown.query({ owner, repo, branch, path, text }),
    enabled: !isLong,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    meta: { isAsked: true },
  })
  if (isLong)
    return <p className={styles.empty}>Files above 512 KB aren’t rendered, here or on their page.</p>
  if (error) return <p className={styles.empty}>{readFailure(error).message}</p>
  if (!data) return <SkeletonBox height="200px" />
  if (data.html === '') return <p className={styles.empty}>There’s nothing to preview.</p>
  return (
    <div
      className={`${markdownClass} ${styles.preview}`}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the server has sanitized it
      dangerouslySetInnerHTML={{ __html: data.html }}
    />
  )
}
