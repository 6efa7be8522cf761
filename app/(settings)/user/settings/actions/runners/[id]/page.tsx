import { placeOfUser } from '@/app/_features/places/read-place'
import { runnerMetadata, runnerPage } from '@/app/_features/runners/pages/runner-page'

export const generateMetadata = runnerMetadata(placeOfUser)

export default runnerPage(placeOfUser)
