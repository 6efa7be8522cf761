'use client'
import { type ReactNode, useRef, useState } from 'react'
import { Banner } from '@/app/_components/banner'
import { TextLink } from '@/app/_components/links'
import { Button } from '@/app/_components/primer'
import { formatBytes } from '@/app/_lib/format'
import { codePath, editPath } from '@/app/_lib/paths'
import { useSingleFlight } from '@/app/_lib/use-single-flight'
import type { EditPage } from '@/server/code/edit/schema'
import { ChangesView } from './changes-view'
import { CodeText } from './code-text'
import { CommitBox } from './commit-box'
import { ConflictView } from './conflict-view'
import styles from './edit.module.css'
import { DraftNotice, NewsNotice } from './edit-notices'
import type { EditedRepository } from './edited-repository'
import { MarkdownPreview } from './markdown-preview'
import { PathField } from './path-field'
import { submitOnKeys } from './submit-keys'
import { base64Of, indentOf, writeTextForm } from './text-form'
import { joinPath, problemOfPath, splitPath } from './typed-path'
import { type FileChange, useCommit } from './use-commit'
import { useConflict } from './use-conflict'
import { type FileText, useFileText } from './use-file-text'

interface FileEditorProps {
  repository: EditedRepository
  /** The file to edit, or the directory to add one to. */
  page: EditPage
  /** Whether the page was opened to rename the file. */
  isRename?: boolean
}

type View = 'edit' | 'changes' | 'preview'

const isMarkdown = /\.(?:md|mkd|mdown|markdown)$/i

/** Form that edits, adds or renames a file, and commits it. */
export function FileEditor({ repository, page, isRename = false }: FileEditorProps): ReactNode {
  const file = useFileText(repository, page)
  const conflict = useConflict(repository, page, file)
  const sent = useRef<string>(undefined)
  const commit = useCommit(repository, page, {
    hasPath: true,
    onDone: () => file.forget(sent.current),
    onOutdated: () => void conflict.review(),
  })
  const isText = page.file === null || page.file.text !== null
  // What is not edited is moved as it then is.
  const news = conflict.news === 'changed' && !isText ? undefined : conflict.news
  const path = joinPath(file.path)
  const summary = summaryOf(page, path)

  const submit = useSingleFlight(async () => {
    const problem = problemOfPath(file.path)
    if (problem) return commit.setProblems({ path: problem })
    if (news === 'changed') return await conflict.review()
    sent.current = file.editor.current?.text()
    const change = changeOf(page, file, { isText, isDeleted: news === 'deleted' })
    if (!change) return commit.setProblems({ form: 'You haven’t changed anything yet.' })
    await commit.commit([change], { summary, path: async () => path })
  })
  const here = codePath(repository, 'src', { kind: 'branch', name: page.branch }, page.path)
  return (
    <form
      method="post"
      noValidate
      onSubmit={submit}
      onKeyDownCapture={conflict.conflict ? undefined : submitOnKeys}
    >
      <DraftNotice file={file} />
      <NewsNotice
        news={conflict.conflict ? undefined : news}
        branch={page.branch}
        problem={conflict.problem}
        onReview={isText ? () => void conflict.review() : undefined}
      />
      <PathField
        repository={repository}
        branch={page.branch}
        path={file.path}
        onChange={next => {
          file.setPath(next)
          if (commit.problems.path) commit.setProblems({ ...commit.problems, path: undefined })
        }}
        problem={commit.problems.path}
        isFirst={isRename || page.file === null}
      />
      {isText ? (
        <div hidden={conflict.conflict !== undefined}>
          <TextViews repository={repository} page={page} file={file} />
        </div>
      ) : (
        <Obstacle
          file={page.file}
          upload={editPath(repository, 'upload', page.branch, splitPath(page.path).folders.join('/'))}
        />
      )}
      {conflict.conflict ? (
        <ConflictView
          conflict={conflict.conflict}
          branch={page.branch}
          name={file.path.name}
          onSettle={conflict.settle}
          onCancel={conflict.cancel}
        />
      ) : (
        <CommitBox
          state={commit}
          page={page}
          summary={summary}
          action="Commit changes"
          cancel={page.commit === null ? `/${repository.full_name}` : here}
        />
      )}
    </form>
  )
}

function summaryOf({ file, path: before }: EditPage, path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (!file) return name ? `Add ${name}` : 'Add a file'
  return path === before ? `Update ${name}` : `Rename ${before} to ${path}`
}

/** The change that was made, if there is one. */
function changeOf(
  { file: shown, path: before }: EditPage,
  { editor, base, path: typed }: FileText,
  { isText, isDeleted }: { isText: boolean; isDeleted: boolean },
): FileChange | undefined {
  const path = joinPath(typed)
  const text = isText ? (editor.current?.text() ?? '') : base.text
  const content = base64Of(writeTextForm(text, base))
  // Only text can be added again: there is no content of anything else here.
  if (!shown || base.id === null || isDeleted)
    return isText ? { operation: 'create', path, content } : undefined
  const moved = path === before ? {} : { from_path: before }
  if (text !== base.text) return { operation: 'update', path, sha: base.id, content, ...moved }
  return path === before ? undefined : { operation: 'rename', path, ...moved }
}

interface TextViewsProps {
  repository: EditedRepository
  page: EditPage
  file: FileText
}

const lineEnds = { lf: 'LF', crlf: 'CRLF', mixed: 'Mixed line endings' }

/** The text to edit, what has changed in it, and for Markdown what it will look like. */
function TextViews({ repository, page, file }: TextViewsProps): ReactNode {
  const [view, setView] = useState<View>('edit')
  const [typed, setTyped] = useState('')
  const [isWrapped, setWrapped] = useState(() => isMarkdown.test(page.path) || page.file === null)
  const [indent] = useState(() => indentOf(file.base.text))
  const [isReady, setReady] = useState(false)
  const { name } = file.path
  const show = (next: View): void => {
    if (next !== 'edit') setTyped(file.editor.current?.text() ?? '')
    setView(next)
  }
  const views: [View, string][] = [
    ['edit', 'Edit'],
    ['changes', 'Preview changes'],
    ...(isMarkdown.test(name) ? ([['preview', 'Preview']] as [View, string][]) : []),
  ]
  return (
    <section className={styles.box} aria-label="File">
      <div className={styles.head}>
        {/* biome-ignore lint/a11y/useSemanticElements: these are no fields */}
        <div role="group" aria-label="View" className={styles.views}>
          {views.map(([key, label]) => (
            <button
              key={key}
              type="button"
              className={styles.view}
              aria-pressed={view === key}
              onClick={() => show(key)}
            >
              {label}
            </button>
          ))}
        </div>
        <div className={styles.options} hidden={view !== 'edit'}>
          <span className={styles.facts}>
            {indent === '\t' ? 'Tabs' : `Spaces: ${indent.length}`} · {lineEnds[file.base.lineEnd]}
          </span>
          <label className={styles.wrap}>
            <input type="checkbox" checked={isWrapped} onChange={event => setWrapped(event.target.checked)} />
            Wrap lines
          </label>
          <Button size="small" disabled={!isReady} onClick={() => file.editor.current?.find()}>
            Find
          </Button>
        </div>
      </div>
      <div hidden={view !== 'edit'}>
        <CodeText
          ref={file.editor}
          text={file.base.text}
          name={name}
          indent={indent}
          isMixed={file.base.lineEnd === 'mixed'}
          isWrapped={isWrapped}
          onChange={file.noteChange}
          onReady={() => setReady(true)}
        />
      </div>
      {view === 'changes' ? <ChangesView original={file.base.text} text={typed} name={name} /> : null}
      {view === 'preview' ? (
        <MarkdownPreview
          repository={repository}
          branch={page.branch}
          path={joinPath(file.path)}
          text={typed}
        />
      ) : null}
      {file.isKept ? null : (
        <p className={styles.keys} role="status">
          This browser can’t keep your text until you commit it. Don’t close the page.
        </p>
      )}
    </section>
  )
}

function Obstacle({ file, upload }: { file: EditPage['file']; upload: string }): ReactNode {
  const { obstacle, size } = file ?? { obstacle: null, size: 0 }
  const title =
    obstacle === 'large'
      ? `This file has ${formatBytes(size)}, which is too large to be edited here`
      : obstacle === 'encoding'
        ? 'This text isn’t in UTF-8, so it can’t be edited here'
        : 'This file isn’t text, so it can’t be edited here'
  return (
    <Banner
      className={styles.notice}
      title={title}
      description={
        <>
          You can rename or move it: change its path above. To change its content, edit a copy on your
          computer, and{' '}
          <TextLink href={upload} inline>
            upload it
          </TextLink>{' '}
          or push it with Git.
        </>
      }
    />
  )
}
