import { expect, it } from 'vitest'
import { GitError } from '../git/run'
import { diskTroubleOf } from './disk-trouble'

const failed = (code: string, syscall = 'write') => Object.assign(new Error('failed'), { code, syscall })

it('diskTroubleOf recognizes a full or failing disk, and returns undefined for other errors', () => {
  for (const [error, trouble] of [
    [failed('ENOSPC'), 'full'],
    [failed('EDQUOT', 'open'), 'full'],
    [failed('EROFS', 'mkdir'), 'readOnly'],
    [failed('EIO', 'fsync'), 'failing'],
    [new Error('wrapped', { cause: failed('ENOSPC') }), 'full'],
    [failed('ENOENT', 'open'), undefined],
    [Object.assign(new Error('no call of the system'), { code: 'ENOSPC' }), undefined],
    ['ENOSPC', undefined],
  ] as const)
    expect(diskTroubleOf(error), String(error)).toBe(trouble)
})

it('diskTroubleOf recognizes a disk problem in Git’s output, even if Git omits the reason', () => {
  for (const [stderr, trouble] of [
    ['error: unable to write symref for HEAD: No space left on device', 'full'],
    ['error: failed to write new configuration file /r/config.lock\nfatal: could not set …', 'full'],
    ["fatal: Unable to create '/r/packed-refs.lock': Read-only file system", 'readOnly'],
    ["fatal: cannot lock ref 'refs/heads/main'", undefined],
  ] as const)
    expect(diskTroubleOf(new GitError('push', 'exited with code 128', stderr)), stderr).toBe(trouble)
})
