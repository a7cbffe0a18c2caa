//! An open archive.

#![expect(unsafe_code, reason = "calls of a library in C")]

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;
use std::sync::Once;

use crate::library as otf2;
use crate::{Collective, Definitions, Error, Event, Group, GroupKind, Message};

/// `OTF2_PARADIGM_MPI`.
const MPI: u8 = 4;
/// `OTF2_LOCATION_TYPE_CPU_THREAD`.
const CPU_THREAD: u8 = 1;

/// An open archive.
pub struct Archive {
    /// Not null, and closed once, when this is dropped.
    reader: *mut otf2::Reader,
    definitions: Definitions,
}

/// What is called for each event of a location.
struct Each<'a> {
    call: &'a mut dyn FnMut(u64, Event),
}

impl Archive {
    /// Opens the archive of an anchor file (`traces.otf2`) and reads what all locations share.
    pub fn open(anchor: &Path) -> Result<Self, Error> {
        silence();
        let path = CString::new(anchor.as_os_str().as_bytes()).map_err(|_| Error::Path)?;
        // SAFETY: the path is a text of C that outlives the call.
        let reader = unsafe { otf2::OTF2_Reader_Open(path.as_ptr()) };
        if reader.is_null() {
            return Err(Error::Incomplete("its anchor file cannot be read".to_owned()));
        }
        let mut archive = Archive { reader, definitions: Definitions::default() };
        // SAFETY: the reader is open.
        check("the anchor file", unsafe { otf2::OTF2_Reader_SetSerialCollectiveCallbacks(reader) })?;
        archive.read_definitions()?;
        Ok(archive)
    }

    /// Returns what all locations share.
    pub fn definitions(&self) -> &Definitions {
        &self.definitions
    }

    /// Reads the global definitions.
    fn read_definitions(&mut self) -> Result<(), Error> {
        let what = "the file of definitions (.def)";
        // SAFETY: the reader is open.
        let from = unsafe { otf2::OTF2_Reader_GetGlobalDefReader(self.reader) };
        if from.is_null() {
            return Err(Error::Incomplete(format!("{what} cannot be opened")));
        }
        let data = ptr::from_mut(&mut self.definitions).cast::<c_void>();
        // SAFETY: the callbacks have the types of the headers, are copied when they are registered, and deleted once.
        // They get `data`, the definitions, which nothing else uses until all are read.
        unsafe {
            let callbacks = otf2::OTF2_GlobalDefReaderCallbacks_New();
            otf2::OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(callbacks, on_clock);
            otf2::OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks, on_string);
            otf2::OTF2_GlobalDefReaderCallbacks_SetGroupCallback(callbacks, on_group);
            otf2::OTF2_GlobalDefReaderCallbacks_SetCommCallback(callbacks, on_comm);
            otf2::OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks, on_region);
            otf2::OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, on_location);
            let registered = otf2::OTF2_Reader_RegisterGlobalDefCallbacks(self.reader, from, callbacks, data);
            otf2::OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
            check(what, registered)?;
            let mut read = 0;
            check(what, otf2::OTF2_Reader_ReadAllGlobalDefinitions(self.reader, from, &raw mut read))
        }
    }

    /// Reads the local definitions of locations, by which the library makes ids of their events global ones. Call it
    /// once, and before [`Archive::events`].
    pub fn select(&mut self, locations: &[u64]) -> Result<(), Error> {
        for &location in locations {
            // SAFETY: the reader is open.
            check("the anchor file", unsafe { otf2::OTF2_Reader_SelectLocation(self.reader, location) })?;
        }
        // SAFETY: the reader is open.
        let has_definitions = unsafe { otf2::OTF2_Reader_OpenDefFiles(self.reader) } == otf2::SUCCESS;
        // SAFETY: the reader is open.
        check("the folder of events", unsafe { otf2::OTF2_Reader_OpenEvtFiles(self.reader) })?;
        if !has_definitions {
            return Ok(());
        }
        let mut missing = None;
        let mut read_any = false;
        for &location in locations {
            // SAFETY: the reader is open, and the reader of definitions is closed once.
            unsafe {
                let from = otf2::OTF2_Reader_GetDefReader(self.reader, location);
                if from.is_null() {
                    missing = Some(location);
                    continue;
                }
                let mut read = 0;
                let code = otf2::OTF2_Reader_ReadAllLocalDefinitions(self.reader, from, &raw mut read);
                otf2::OTF2_Reader_CloseDefReader(self.reader, from);
                check(&format!("the file of definitions of location {location}"), code)?;
                read_any = true;
            }
        }
        // SAFETY: the reader is open.
        unsafe { otf2::OTF2_Reader_CloseDefFiles(self.reader) };
        match missing {
            Some(location) if read_any => {
                Err(Error::Incomplete(format!("the file of definitions of location {location} is not there")))
            }
            _ => Ok(()),
        }
    }

    /// Reads the events of a selected location, with their times in ticks. Returns how many there are of all kinds.
    pub fn events(&mut self, location: u64, each: &mut dyn FnMut(u64, Event)) -> Result<u64, Error> {
        let what = format!("the file of events of location {location}");
        // SAFETY: the reader is open.
        let from = unsafe { otf2::OTF2_Reader_GetEvtReader(self.reader, location) };
        if from.is_null() {
            return Err(Error::Incomplete(format!("{what} is not there")));
        }
        let mut each = Each { call: each };
        let data = ptr::from_mut(&mut each).cast::<c_void>();
        let mut read = 0;
        // SAFETY: the callbacks have the types of the headers, are copied when they are registered, and deleted once.
        // They get `data`, which outlives all reading and which nothing else uses. The reader of events is closed once.
        let code = unsafe {
            let callbacks = otf2::OTF2_EvtReaderCallbacks_New();
            otf2::OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks, enter);
            otf2::OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks, leave);
            otf2::OTF2_EvtReaderCallbacks_SetMpiSendCallback(callbacks, mpi_send);
            otf2::OTF2_EvtReaderCallbacks_SetMpiIsendCallback(callbacks, mpi_isend);
            otf2::OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(callbacks, mpi_isend_complete);
            otf2::OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(callbacks, mpi_irecv_request);
            otf2::OTF2_EvtReaderCallbacks_SetMpiRecvCallback(callbacks, mpi_recv);
            otf2::OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(callbacks, mpi_irecv);
            otf2::OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(callbacks, mpi_request_cancelled);
            otf2::OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback(callbacks, mpi_collective_begin);
            otf2::OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(callbacks, mpi_collective_end);
            otf2::OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(
                callbacks,
                non_blocking_collective_request,
            );
            otf2::OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(
                callbacks,
                non_blocking_collective_complete,
            );
            let registered = otf2::OTF2_Reader_RegisterEvtCallbacks(self.reader, from, callbacks, data);
            otf2::OTF2_EvtReaderCallbacks_Delete(callbacks);
            let code = match registered {
                otf2::SUCCESS => otf2::OTF2_Reader_ReadAllLocalEvents(self.reader, from, &raw mut read),
                code => code,
            };
            otf2::OTF2_Reader_CloseEvtReader(self.reader, from);
            code
        };
        check(&what, code)?;
        Ok(read)
    }
}

impl Drop for Archive {
    fn drop(&mut self) {
        // SAFETY: the reader is open, and is not used again.
        unsafe { otf2::OTF2_Reader_Close(self.reader) };
    }
}

/// Keeps the library from printing its errors.
fn silence() {
    unsafe extern "C" fn nothing(
        _data: *mut c_void,
        _file: *const c_char,
        _line: u64,
        _function: *const c_char,
        code: c_int,
        _format: *const c_char,
        _arguments: *mut c_void,
    ) -> c_int {
        code
    }
    static ONCE: Once = Once::new();
    // SAFETY: the callback has the type of the headers and uses none of its arguments' memory.
    ONCE.call_once(|| _ = unsafe { otf2::OTF2_Error_RegisterCallback(Some(nothing), ptr::null_mut()) });
}

/// Returns the error of a code.
fn check(what: &str, code: c_int) -> Result<(), Error> {
    if code == otf2::SUCCESS {
        return Ok(());
    }
    // SAFETY: the library returns a text that is never freed, or null.
    let problem = unsafe { text(otf2::OTF2_Error_GetDescription(code)) };
    Err(Error::Library { what: what.to_owned(), problem })
}

/// Copies a text of C.
///
/// # Safety
/// It is null, or ends with a zero byte.
unsafe fn text(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: the caller says so.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

/// Returns the definitions behind the data of a callback.
///
/// # Safety
/// Callbacks of definitions get the definitions of an archive, one at a time.
unsafe fn definitions<'a>(data: *mut c_void) -> &'a mut Definitions {
    // SAFETY: the caller says so.
    unsafe { &mut *data.cast::<Definitions>() }
}

unsafe extern "C" fn on_clock(data: *mut c_void, resolution: u64, _: u64, _: u64, _: u64) -> c_int {
    // SAFETY: this is a callback of definitions.
    unsafe { definitions(data) }.ticks_per_second = resolution;
    otf2::SUCCESS
}

unsafe extern "C" fn on_string(data: *mut c_void, id: u32, string: *const c_char) -> c_int {
    // SAFETY: this is a callback of definitions, and the library gives texts of C.
    unsafe { definitions(data).strings.insert(id, text(string)) };
    otf2::SUCCESS
}

unsafe extern "C" fn on_group(
    data: *mut c_void,
    id: u32,
    _name: u32,
    kind: u8,
    paradigm: u8,
    _flags: u32,
    count: u32,
    members: *const u64,
) -> c_int {
    let kind = match kind {
        4 => GroupKind::Locations,
        5 => GroupKind::Ranks,
        6 => GroupKind::Itself,
        _ => GroupKind::Other,
    };
    let members = if count == 0 || members.is_null() {
        Vec::new()
    } else {
        // SAFETY: the library gives as many members as it says.
        unsafe { std::slice::from_raw_parts(members, count as usize) }.to_vec()
    };
    // SAFETY: this is a callback of definitions.
    unsafe { definitions(data) }.groups.insert(id, Group { kind, is_mpi: paradigm == MPI, members });
    otf2::SUCCESS
}

unsafe extern "C" fn on_comm(data: *mut c_void, id: u32, _name: u32, group: u32, _parent: u32, _flags: u32) -> c_int {
    // SAFETY: this is a callback of definitions.
    unsafe { definitions(data) }.communicators.insert(id, group);
    otf2::SUCCESS
}

unsafe extern "C" fn on_region(
    data: *mut c_void,
    id: u32,
    name: u32,
    _canonical_name: u32,
    _description: u32,
    _role: u8,
    _paradigm: u8,
    _flags: u32,
    _file: u32,
    _begin: u32,
    _end: u32,
) -> c_int {
    // SAFETY: this is a callback of definitions.
    unsafe { definitions(data) }.regions.insert(id, name);
    otf2::SUCCESS
}

unsafe extern "C" fn on_location(data: *mut c_void, id: u64, _name: u32, kind: u8, events: u64, _: u32) -> c_int {
    if kind == CPU_THREAD {
        // SAFETY: this is a callback of definitions.
        unsafe { definitions(data) }.locations.push((id, events));
    }
    otf2::SUCCESS
}

/// Hands an event on.
///
/// # Safety
/// Callbacks of events get an [`Each`], one at a time.
unsafe fn hand_on(data: *mut c_void, time: u64, event: Event) -> c_int {
    // SAFETY: the caller says so.
    let each = unsafe { &mut *data.cast::<Each>() };
    (each.call)(time, event);
    otf2::SUCCESS
}

/// Makes callbacks of events of their arguments and what they become.
macro_rules! callbacks {
    ($($name:ident($($argument:ident: $type:ty),*) => $event:expr;)*) => {
        $(
            unsafe extern "C" fn $name(
                _location: u64,
                time: u64,
                _position: u64,
                data: *mut c_void,
                _attributes: *mut c_void,
                $($argument: $type),*
            ) -> c_int {
                // SAFETY: this is a callback of events.
                unsafe { hand_on(data, time, $event) }
            }
        )*
    };
}

callbacks! {
    enter(region: u32) => Event::Enter(region);
    leave(region: u32) => Event::Leave(region);
    mpi_send(peer: u32, communicator: u32, tag: u32, bytes: u64) =>
        Event::Send(Message { peer, communicator, tag, bytes });
    mpi_isend(peer: u32, communicator: u32, tag: u32, bytes: u64, request: u64) => Event::Isend(Message { peer, communicator, tag, bytes }, request);
    mpi_isend_complete(request: u64) => Event::IsendComplete(request);
    mpi_irecv_request(request: u64) => Event::IrecvRequest(request);
    mpi_recv(peer: u32, communicator: u32, tag: u32, bytes: u64) => Event::Recv(Message { peer, communicator, tag, bytes });
    mpi_irecv(peer: u32, communicator: u32, tag: u32, bytes: u64, request: u64) => Event::Irecv(Message { peer, communicator, tag, bytes }, request);
    mpi_request_cancelled(request: u64) => Event::Cancelled(request);
    mpi_collective_begin() => Event::CollectiveBegin;
    mpi_collective_end(operation: u8, communicator: u32, root: u32, sent: u64, received: u64) => Event::CollectiveEnd(Collective { operation, communicator, root, sent, received });
    non_blocking_collective_request(request: u64) => Event::IcollectiveRequest(request);
    non_blocking_collective_complete(operation: u8, communicator: u32, root: u32, sent: u64, received: u64, request: u64) => Event::IcollectiveComplete(Collective { operation, communicator, root, sent, received }, request);
}
