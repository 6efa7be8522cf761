'use client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { Markdown } from '@/app/_components/markdown'
import { readFailure } from '@/app/_lib/failure'
import type { RepoPath } from '@/app/_lib/paths'
import { trpc } from '@/app/_lib/trpc'
import styles from './editor.module.css'
import type { ReleaseValues } from './release-values'

interface PreviewProps {
  path: RepoPath
  form: UseFormReturn<ReleaseValues>
}

/** Preview of the release notes in the form, as they will look after saving. */
export function Preview({ path, form }: PreviewProps): ReactNode {
  const text = useWatch({ control: form.control, name: 'body' })
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['markdown-preview', path, text],
    queryFn: () => trpc.releases.manage.preview.query({ ...path, text }),
    enabled: text.trim() !== '',
    placeholderData: keepPreviousData,
    retry: false,
  })
  if (text.trim() === '') return <p className={styles.quiet}>Nothing to preview.</p>
  if (error) return <p role="alert">{readFailure(error).message}</p>
  return (
    <div className={styles.preview} aria-busy={!data || isPlaceholderData}>
      {data ? <Markdown html={data.html} /> : <p className={styles.loading}>Loading preview…</p>}
    </div>
  )
}
