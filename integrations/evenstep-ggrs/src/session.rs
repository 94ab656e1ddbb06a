//! The common interface of the three session types of GGRS.

use ggrs::{Config, DesyncDetection, Frame, GgrsError, GgrsRequest, PlayerHandle, SessionState};
use ggrs::{P2PSession, SpectatorSession, SyncTestSession};

/// The number of frames that a spectator buffers against jitter.
const SPECTATOR_BUFFER: i32 = 2;

/// One of the sessions of GGRS. No other type implements it.
pub trait Session: sealed::Drive {}

impl<C: Config<State = ()>> Session for P2PSession<C> {}
impl<C: Config<State = ()>> Session for SpectatorSession<C> {}
impl<C: Config<State = ()>> Session for SyncTestSession<C> {}

pub(crate) mod sealed {
    use super::{Config, Frame, GgrsError, GgrsRequest, PlayerHandle};

    /// The operations common to all sessions.
    pub trait Drive {
        type Config: Config<State = (), Input = Self::Input>;
        type Input;

        /// Processes received packets. Returns whether all machines are connected.
        fn poll(&mut self) -> bool;
        /// The players whose inputs are read on this machine.
        fn local_players(&self) -> Vec<PlayerHandle>;
        /// The largest number of ticks that it rolls back.
        fn window(&self) -> usize;
        fn add_input(&mut self, player: PlayerHandle, input: Self::Input) -> Result<(), GgrsError>;
        fn advance(&mut self) -> Result<Vec<GgrsRequest<Self::Config>>, GgrsError>;
        /// The number of ticks that it is ahead of the others.
        fn ahead(&self) -> i32;
        /// The last frame that it has advanced with all inputs known.
        fn confirmed(&self) -> Frame;
        fn checksums(&self) -> Checksums;
    }

    /// How the checksums of states are used.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum Checksums {
        /// The session needs none.
        None,
        /// The session sends them to its peers.
        Given,
        /// Those of a tick must be the same in every simulation.
        Compared,
    }
}

impl<C: Config<State = ()>> sealed::Drive for P2PSession<C> {
    type Config = C;
    type Input = C::Input;

    fn poll(&mut self) -> bool {
        self.poll_remote_clients();
        self.current_state() == SessionState::Running
    }

    fn local_players(&self) -> Vec<PlayerHandle> {
        self.local_player_handles()
    }

    fn window(&self) -> usize {
        self.max_prediction()
    }

    fn add_input(&mut self, player: PlayerHandle, input: C::Input) -> Result<(), GgrsError> {
        self.add_local_input(player, input)
    }

    fn advance(&mut self) -> Result<Vec<GgrsRequest<C>>, GgrsError> {
        self.advance_frame()
    }

    fn ahead(&self) -> i32 {
        self.frames_ahead()
    }

    fn confirmed(&self) -> Frame {
        self.confirmed_frame()
    }

    fn checksums(&self) -> sealed::Checksums {
        match self.desync_detection() {
            DesyncDetection::Off => sealed::Checksums::None,
            DesyncDetection::On { .. } => sealed::Checksums::Given,
        }
    }
}

impl<C: Config<State = ()>> sealed::Drive for SpectatorSession<C> {
    type Config = C;
    type Input = C::Input;

    fn poll(&mut self) -> bool {
        self.poll_remote_clients();
        self.current_state() == SessionState::Running
    }

    fn local_players(&self) -> Vec<PlayerHandle> {
        Vec::new()
    }

    fn window(&self) -> usize {
        0
    }

    fn add_input(&mut self, _: PlayerHandle, _: C::Input) -> Result<(), GgrsError> {
        Ok(())
    }

    fn advance(&mut self) -> Result<Vec<GgrsRequest<C>>, GgrsError> {
        self.advance_frame()
    }

    fn ahead(&self) -> i32 {
        SPECTATOR_BUFFER.saturating_sub_unsigned(u32::try_from(self.frames_behind_host()).unwrap_or(u32::MAX))
    }

    fn confirmed(&self) -> Frame {
        self.current_frame()
    }

    fn checksums(&self) -> sealed::Checksums {
        sealed::Checksums::None
    }
}

impl<C: Config<State = ()>> sealed::Drive for SyncTestSession<C> {
    type Config = C;
    type Input = C::Input;

    fn poll(&mut self) -> bool {
        true
    }

    fn local_players(&self) -> Vec<PlayerHandle> {
        (0..self.num_players()).collect()
    }

    fn window(&self) -> usize {
        self.max_prediction()
    }

    fn add_input(&mut self, player: PlayerHandle, input: C::Input) -> Result<(), GgrsError> {
        self.add_local_input(player, input)
    }

    fn advance(&mut self) -> Result<Vec<GgrsRequest<C>>, GgrsError> {
        self.advance_frame()
    }

    fn ahead(&self) -> i32 {
        0
    }

    fn confirmed(&self) -> Frame {
        Frame::MAX
    }

    fn checksums(&self) -> sealed::Checksums {
        sealed::Checksums::Compared
    }
}
